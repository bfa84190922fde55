import { Features } from './features.js'
import type { PartProps } from './part.js'
import { Tokens } from './tokens.js'

export function Data({ panel, state }: PartProps) {
  const { data } = state
  if (data === undefined) return <p class="empty">Loading the data …</p>
  const roleName = (id: number) => data.roles.find((role) => role.id === id)?.name ?? `role ${id}`
  return (
    <>
      <Features data={data} />
      <h3>Signup tokens</h3>
      <Tokens panel={panel} state={state} />
      <h3>Users</h3>
      {data.users.length === 0 && <p class="empty">No users.</p>}
      <ul class="cards dense">
        {data.users.map((user) => (
          <li key={user.id} class="card">
            <div class="card-head">
              <h4>{user.name ?? user.username ?? user.email}</h4>
              <span class="tag">{roleName(user.rootRole)}</span>
            </div>
            <p class="muted">
              {user.id} · {user.email ?? user.username}
            </p>
          </li>
        ))}
      </ul>
      <h3>Projects</h3>
      {data.projects.length === 0 && <p class="empty">No projects.</p>}
      <ul class="cards dense">
        {data.projects.map((project) => (
          <li key={project.id} class="card">
            <div class="card-head">
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
