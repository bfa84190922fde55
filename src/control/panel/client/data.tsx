import type { State } from '../../../state/state.js'
import { Options, type PartProps, QuietButton } from './controls.js'
import { Flags } from './flags.js'
import { Invites } from './invites.js'
import type { Panel } from './panel.js'

/** The data, to look at and to change by the service's own operations. */
export function Data({ panel, state }: PartProps) {
  const { data } = state
  if (data === undefined) return <p class="empty">Loading the data …</p>
  return (
    <>
      <Flags panel={panel} data={data} />
      <Invites panel={panel} state={state} />
      <Users panel={panel} data={data} />
      <h3>Projects</h3>
      {data.projects.length === 0 && <p class="empty">No projects.</p>}
      <ul class="stack dense">
        {data.projects.map((project) => (
          <li key={project.id} class="card">
            <div class="line">
              <h4>{project.name}</h4>
              <code>{project.id}</code>
            </div>
            <p class="muted">{project.description}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

function Users({ panel, data: { users, roles } }: { panel: Panel; data: State }) {
  const rootRoles = roles.filter(({ type }) => type === 'root')
  const setRole = (name: string, id: number, rootRole: number) =>
    panel.operate(`The role of ${name} is changed.`, 'PUT', `/api/admin/user-admin/${id}`, { rootRole })
  return (
    <section class="stack">
      <h3>Users</h3>
      {users.length === 0 && <p class="empty">No users.</p>}
      <ul class="stack dense">
        {users.map((user) => {
          const login = user.username ?? user.email ?? ''
          const name = user.name ?? login
          return (
            <li key={user.id} class="card">
              <h4>{name}</h4>
              <p class="muted">
                {user.id} · {user.email ?? user.username}
              </p>
              <div class="line">
                <select
                  aria-label={`Role of ${name}`}
                  value={user.rootRole}
                  onChange={({ currentTarget }) => setRole(name, user.id, Number(currentTarget.value))}
                >
                  <Options pairs={rootRoles.map((role) => [role.id, role.name])} />
                </select>
                {panel.host.signsIn && (
                  <QuietButton aria-label={`Sign in as ${name}`} onClick={() => panel.signIn(user.id, name)}>
                    Sign in
                  </QuietButton>
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
