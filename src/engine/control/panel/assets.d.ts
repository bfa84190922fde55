/** What tools/panel-assets.js bundles into a text: the page's script, and the stylesheet. */
declare module 'panel:*' {
  const text: string
  export default text
}
