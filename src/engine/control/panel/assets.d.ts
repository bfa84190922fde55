/** The texts that tools/panel-assets.js bundles: the page's script, and the stylesheet. */
declare module 'panel:*' {
  const text: string
  export default text
}
