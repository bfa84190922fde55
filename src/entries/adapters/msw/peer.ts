import * as msw from 'msw'
import { tooOld } from '../peer.js'

// Accessed by property: a bundler or Node would report a named import as missing before this check.
if (msw.HttpHandler === undefined) throw tooOld('msw', 'msw', '2.0')

export const { http, HttpHandler, HttpResponse, passthrough } = msw
