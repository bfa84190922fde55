/** JSON as TypeScript imports it: texts have the type string, and items of a list have each other's fields. */
import { createMock, type PartialState } from '../../src/index.js'
import broken from './json/broken.json' with { type: 'json' }
import evaluated from './json/evaluated.json' with { type: 'json' }
import shop from './json/shop.json' with { type: 'json' }
import wrong from './json/wrong.json' with { type: 'json' }

export const given = createMock({ fixtures: shop, scenarios: [broken], scenario: broken })
export const several = createMock({ fixtures: [shop, evaluated, evaluated.toggles] })
given.add(shop)
given.restore(shop)

// @ts-expect-error: enabled is true or false
createMock({ fixtures: wrong })

// @ts-expect-error: typed state has one of the known modes
export const typed: PartialState = { projects: [{ id: 'shop', mode: 'opne' }] }

// @ts-expect-error: a field that does not exist
createMock({ fixtures: { features: [{ nam: 'x' }] } })
