/** The panel's script and stylesheet, each bundled into one string by tools/panel-assets.js. */
declare module 'panel:assets' {
  export const script: string
  export const stylesheet: string
}
