import { describe, expect, it } from 'vitest'
import { didYouMean } from '../../src/support/nearest.js'

describe('Suggestions', () => {
  it.each([
    ['prot', ['host', 'port'], 'port'],
    ['strat', ['start', 'exec'], 'start'],
    ['dokumented', ['documented', 'unleash-8'], 'documented'],
    ['expired-tokn', ['expired-token', 'disabled-token'], 'expired-token'],
    ['chekout-redesing', ['checkout-redesign', 'legacy-export'], 'checkout-redesign'],
    ['clone', ['createFeature', 'cloneFeature'], 'cloneFeature'],
    ['CLONEFEATURE', ['cloneFeature'], 'cloneFeature'],
    ['role', ['id', 'rootRole', 'username'], 'rootRole'],
    ['flags', ['unknownFlags', 'features'], 'features'],
    ['role', ['rootRole', 'companyRole'], 'rootRole" or "companyRole'],
    ['/admin/projects', ['/api/admin/projects', '/api/admin/events'], '/api/admin/projects'],
  ])('a similar name is suggested: %s', (name, known, meant) => {
    expect(didYouMean(name, known)).toBe(` Did you mean "${meant}"?`)
  })

  it.each([
    ['cors', ['port', 'host', 'now']],
    ['/docs', ['/logout', '/health']],
    ['x', ['y', 'xylophone']],
    ['17', ['1', '7']],
    ['token', ['adminToken', 'clientToken', 'frontendToken']],
    ['/api/admin/addons', ['/api/admin/tags', '/api/admin/events']],
    ['anything', []],
  ])('a name without a similar one gets no suggestion: %s', (name, known) => {
    expect(didYouMean(name, known)).toBe('')
  })
})
