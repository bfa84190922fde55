// The types of the matcher, for both kinds of Jest's `expect`.
import { expect as imported } from '@jest/globals'
import { createMock } from 'flagdouble'

const mock = createMock()
expect(mock).toHaveReceived('cloneFeature', 2)
expect(mock).not.toHaveReceived('cloneFeature', { status: 403 })
imported(mock).toHaveReceived('cloneFeature', 2)
imported(mock).not.toHaveReceived('cloneFeature', { status: 403 })
// @ts-expect-error There is no such operation.
expect(mock).toHaveReceived('clonFeature')
// @ts-expect-error There is no such operation.
imported(mock).toHaveReceived('clonFeature')
