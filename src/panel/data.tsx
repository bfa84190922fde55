import type { ComponentType } from 'preact'
import type { State } from '../engine/state/state.js'
import { counted } from '../support/text.js'
import { type DataProps, LongList, Options, type PartProps, QuietButton, Tabs, useOperations } from './controls.js'
import { Flags } from './flags.js'
import type { Panel } from './panel.js'
import { SignupTokens } from './signup-tokens.js'

interface DataTab {
  id: string
  title: string
  count(data: State): number
  Records: ComponentType<DataProps>
}

const tabs: readonly [DataTab, ...DataTab[]] = [
  { id: 'features', title: 'Flags', count: ({ features }) => features.length, Records: Flags },
  {
    id: 'signup-tokens',
    title: 'Signup tokens',
    count: ({ signupTokens }) => signupTokens.length,
    Records: SignupTokens,
  },
  { id: 'users', title: 'Users', count: ({ users }) => users.length, Records: Users },
  { id: 'projects', title: 'Projects', count: ({ projects }) => projects.length, Records: Projects },
]

/** The data, with changes by Unleash's own operations. */
export function Data({ panel, state }: PartProps) {
  const { data, place } = state
  if (data === undefined) return <p class="empty">Connecting …</p>
  const { id, Records } = tabs.find(({ id }) => id === place.part.split('/')[1]) ?? tabs[0]
  return (
    <>
      <Tabs
        label="Kinds of data"
        tabs={tabs.map(({ id, title, count }) => ({ id, title, count: count(data) }))}
        current={id}
        controls="kind"
        onChoose={(kind) => panel.go({ part: `data/${kind}` })}
      />
      <div id="kind" class="part" role="tabpanel" aria-labelledby={`tab-${id}`}>
        <Records panel={panel} state={state} data={data} />
      </div>
    </>
  )
}

function Users({ panel, data: { users, roles } }: DataProps) {
  if (users.length === 0) return <p class="empty">No users.</p>
  return <LongList items={users} keyOf={({ id }) => id} draw={(user) => <User {...{ panel, user, roles }} />} />
}

interface UserProps {
  panel: Panel
  user: State['users'][number]
  roles: State['roles']
}

function User({ panel, user, roles }: UserProps) {
  const { operate, refusal } = useOperations(panel)
  const { id, email, username, rootRole } = user
  const name = user.name ?? username ?? email ?? ''
  const rootRoles = roles.filter(({ type }) => type === 'root')
  return (
    <>
      <div class="row">
        <strong>{name}</strong>
        <span class="muted small grow">{email ?? username}</span>
        <select
          class="quiet"
          aria-label={`Role of ${name}`}
          value={rootRole}
          onChange={({ currentTarget }) =>
            operate('PUT', `/api/admin/user-admin/${id}`, { rootRole: Number(currentTarget.value) })
          }
        >
          <Options pairs={rootRoles.map((role) => [role.id, role.name])} />
        </select>
        {panel.host.signsIn && (
          <QuietButton aria-label={`Sign in as ${name}`} onClick={() => panel.signIn(id, name)}>
            Sign in
          </QuietButton>
        )}
      </div>
      {refusal}
    </>
  )
}

function Projects({ data: { projects, features } }: DataProps) {
  if (projects.length === 0) return <p class="empty">No projects.</p>
  return (
    <LongList
      items={projects}
      keyOf={({ id }) => id}
      draw={({ id, name, description }) => (
        <div class="row">
          <strong>{name}</strong>
          <code>{id}</code>
          <span class="muted small grow">{description}</span>
          <span class="muted small">{counted(features.filter(({ project }) => project === id).length, 'flag')}</span>
        </div>
      )}
    />
  )
}
