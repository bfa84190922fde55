import { html } from 'hono/html'

/** The flag and its double. */
export const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M6 4v25" stroke="#0f766e" stroke-width="3" stroke-linecap="round"/><path d="M8 5h13l-3 5 3 5H8z" fill="#0f766e"/><path d="M13 13h13l-3 5 3 5H13z" fill="#5eead4"/></svg>',
)}`

/** The page of the control panel, with the folder of its files. Its script fills in all data. */
export function page(folder: string) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>flagdouble · control panel</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${folder}panel.css">
<script src="${folder}panel.js" defer></script>
</head>
<body>
<div id="panel" class="panel"><p class="loading">Loading the control panel …</p></div>
<noscript><p class="loading">The control panel needs JavaScript. Without it, use the control API.</p></noscript>
</body>
</html>`
}
