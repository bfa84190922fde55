import { expect } from 'vitest'
import { ADMIN } from './adapters.js'
import { type CliRun, startCli } from './cli.js'

/** The sender of a request, and its world. */
export interface Where {
  /** Default: the shared session. */
  session?: string
  /** Default: the session's active scenario. */
  scenario?: string
  /** Null: the cookies of earlier responses. Default: the admin's API token. */
  key?: string | null
}

/** The actions of an app and a tester. */
export type StateClient = ReturnType<typeof clientOf>

/** A server with a state file. */
export interface StateServer extends CliRun, StateClient {
  at: string
  /** Stops the server. Resolves to the exit code. */
  stop(): Promise<number>
}

const BUILT_IN = ['checkout-redesign', 'legacy-export', 'archived-banner', 'push-opt-in']

/** Starts a server with a state file and further flags. */
export async function startWithState(file: string, ...flags: string[]): Promise<StateServer> {
  const cli = await startCli(['--state', file, ...flags])
  return { ...cli, ...clientOf((path, init) => fetch(cli.at + path, init)), stop: () => stop(cli) }
}

export async function stop({ signal, done }: CliRun): Promise<number> {
  signal('SIGTERM')
  return done
}

/** A client's actions, sent by `fetch`. Each but `send` expects success. */
export function clientOf(
  fetch: (path: string, init: RequestInit & { headers: Record<string, string> }) => Promise<Response>,
) {
  const cookies = new Map<string, string>()
  const send = async (method: string, path: string, body?: unknown, where: Where = {}) => {
    const { session, scenario, key = ADMIN } = where
    const response = await fetch(path, {
      method,
      headers: {
        ...(key === null ? { cookie: [...cookies.values()].join('; ') } : { authorization: key }),
        'content-type': 'application/json',
        ...(session && { 'x-mock-session': session }),
        ...(scenario && { 'x-mock-scenario': scenario }),
      },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      cookies.set(pair.split('=')[0] ?? '', pair)
    }
    return response
  }
  const must = async (status: number, method: string, path: string, body?: unknown, where?: Where) => {
    const response = await send(method, path, body, where)
    expect(response.status, `${method} ${path}`).toBe(status)
    return response
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  const read = async (path: string, where?: Where): Promise<any> =>
    (await must(200, 'GET', path, undefined, where)).json()
  return {
    send,
    /** The JSON at a path. */
    read,
    async create(names: string | readonly string[], where?: Where): Promise<void> {
      for (const name of [names].flat()) {
        await must(201, 'POST', '/api/admin/projects/default/features', { name }, where)
      }
    },
    /** The names of all features, without those of the built-in scenarios. */
    async names(where?: Where): Promise<string[]> {
      const { features } = await read('/__mock/state', where)
      return features.map(({ name }: { name: string }) => name).filter((name: string) => !BUILT_IN.includes(name))
    },
    /** The IDs of the strategies of all features. */
    async strategyIds(): Promise<string[]> {
      const { features } = await read('/__mock/state')
      type Feature = { environments: { strategies: { id: string }[] }[] }
      return features.flatMap(({ environments }: Feature) =>
        environments.flatMap(({ strategies }) => strategies.map(({ id }) => id)),
      )
    },
    async switchTo(name: string, where?: Where): Promise<void> {
      await must(200, 'PUT', '/__mock/scenario', { name }, where)
    },
    async activeScenarios(where?: Where): Promise<string[]> {
      return (await read('/__mock/scenario', where)).names
    },
    async step(...ways: ('undo' | 'redo')[]): Promise<void> {
      for (const way of ways) await must(200, 'POST', `/__mock/history/${way}`)
    },
    async login(): Promise<void> {
      const account = { username: 'editor', password: 'flagdouble' }
      await must(200, 'POST', '/auth/simple/login', account, { key: null })
    },
    async reset(where?: Where): Promise<void> {
      await must(204, 'POST', '/__mock/reset', undefined, where)
    },
  }
}
