import * as msw from 'msw'
import { tooOld } from '../peer.js'

// By their names, a bundler or Node would report them as missing exports, before this is read.
if (msw.HttpHandler === undefined) throw tooOld('msw', 'msw', '2.0')

export const { http, HttpHandler, HttpResponse, passthrough } = msw
