import * as msw from 'msw'
import { expectNodeForMsw, tooOld } from '../peer.js'

// Accessed by property: a bundler or Node would report a named import as missing before this check.
if (msw.HttpHandler === undefined) throw tooOld('msw', 'msw', '2.0')
expectNodeForMsw()

export const { http, HttpHandler, HttpResponse, passthrough } = msw
