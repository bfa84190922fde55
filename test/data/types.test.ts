import { describe, expectTypeOf, it } from 'vitest'
import type { MockData } from '../../src/engine/data/relations.js'
import type { Lifecycle } from '../../src/service/resources/flags/lifecycle.js'
import type { RoleRecord } from '../../src/service/resources/people/roles.js'
import type { ProjectRecord } from '../../src/service/resources/projects/projects.js'

// The compiler checks these; none of it runs.
type Found<Name extends keyof MockData> = ReturnType<MockData[Name]['all']>[number]
const unused = (_: (data: MockData) => unknown) => undefined

describe('types', () => {
  it('describe the stored fields of a record', () => {
    expectTypeOf<Found<'features'>['stale']>().toEqualTypeOf<boolean>()
    expectTypeOf<Found<'features'>['description']>().toEqualTypeOf<string | null>()
    expectTypeOf<Found<'features'>['lifecycle']>().toEqualTypeOf<Readonly<Lifecycle>>()
    expectTypeOf<Found<'events'>['groupId']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Found<'signupTokens'>['enabled']>().not.toBeAny()
  })

  it('describe related records', () => {
    expectTypeOf<Found<'signupTokens'>['role']['permissions']>().toExtend<RoleRecord['permissions']>()
    expectTypeOf<Found<'signupTokens'>['users'][number]['rootRole']['name']>().toEqualTypeOf<string>()
    expectTypeOf<Found<'features'>['project']['mode']>().toEqualTypeOf<ProjectRecord['mode']>()
    expectTypeOf<Found<'features'>['children'][number]['parents'][number]['name']>().toEqualTypeOf<string>()
    expectTypeOf<Found<'projects'>['features'][number]['project']['id']>().toEqualTypeOf<string>()
  })

  it('describe missing records', () => {
    expectTypeOf<null>().toExtend<Found<'segments'>['project']>()
    expectTypeOf<null>().toExtend<Found<'events'>['feature']>()
    expectTypeOf<null>().not.toExtend<Found<'features'>['project']>()
    expectTypeOf<null>().not.toExtend<Found<'users'>['rootRole']>()
  })

  it('check queries', () => {
    unused(({ features, segments }) => [
      features.findMany((q) => q.where({ stale: true, project: { id: 'shop' } }), { orderBy: { name: 'asc' } }),
      features.findMany((q) => q.where(({ tags }) => tags.length > 0).and({ environments: { enabled: true } })),
      segments.findMany((q) => q.where(({ project }) => project === null), { orderBy: { project: { name: 'asc' } } }),
      // @ts-expect-error There is no such field.
      features.findMany((q) => q.where({ colour: 'red' })),
      // @ts-expect-error The project is a record, not its id.
      features.findMany((q) => q.where({ project: 'shop' })),
      // @ts-expect-error There is no such field to sort by.
      features.findMany(undefined, { orderBy: { colour: 'asc' } }),
    ])
  })

  it('reject writing', () => {
    unused(({ features }) => [
      // @ts-expect-error A collection can't be written.
      features.create({ name: 'new' }),
      // @ts-expect-error A collection can't be written.
      features.update((q) => q.where({ stale: true }), { data() {} }),
      // @ts-expect-error A collection can't be written.
      features.deleteMany((q) => q.where({ stale: true })),
    ])
  })

  it('reject changing a found record', () => {
    unused(({ features }) => {
      for (const feature of features.all()) {
        // @ts-expect-error A found record can't be changed.
        feature.stale = true
        // @ts-expect-error Nor can one that it leads to.
        feature.project.name = 'x'
      }
    })
  })
})
