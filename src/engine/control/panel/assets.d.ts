/** What tools/panel-assets.js bundles into a text: the script of either page, and the stylesheet. */
declare module 'panel:*' {
  const text: string
  export default text
}
