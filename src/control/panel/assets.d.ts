/** The panel's own script and stylesheet, each bundled to one text by tools/panel-assets.js. */
declare module 'panel:assets' {
  export const script: string
  export const stylesheet: string
}
