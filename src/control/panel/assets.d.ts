/** The script of the panel's page, bundled into one text by tools/panel-assets.js. */
declare module 'panel:script' {
  const text: string
  export default text
}

/** The script of the page that opens a world, bundled likewise. */
declare module 'panel:opening' {
  const text: string
  export default text
}

/** The panel's stylesheet, bundled into one text by tools/panel-assets.js. */
declare module 'panel:stylesheet' {
  const text: string
  export default text
}
