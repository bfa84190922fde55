import { expect } from 'vitest'
import { ADMIN } from './adapters.js'
import { type CliRun, startCli } from './cli.js'

/** The session and the scenario of a request. Default: the shared session, in its active scenario. */
export interface Where {
  session?: string
  scenario?: string
}

/** A server with a state file, used like an app and a tester do. */
export interface StateServer extends CliRun {
  at: string
  send(method: string, path: string, body?: unknown, where?: Where): Promise<Response>
  /** Creates features, and expects success. */
  create(names: string | readonly string[], where?: Where): Promise<void>
  /** The names of all features, without those of the built-in scenarios. */
  names(where?: Where): Promise<string[]>
  switchTo(scenario: string, where?: Where): Promise<void>
  activeScenarios(where?: Where): Promise<string[]>
  reset(where?: Where): Promise<void>
  /** Stops the server. Resolves to the exit code. */
  stop(): Promise<number>
}

const BUILT_IN = ['checkout-redesign', 'legacy-export', 'archived-banner', 'push-opt-in']

/** Starts a server with a state file and further flags. */
export async function startWithState(file: string, ...flags: string[]): Promise<StateServer> {
  const cli = await startCli(['--state', file, ...flags])
  return { ...cli, ...clientOf(cli.at), stop: () => stop(cli) }
}

async function stop({ signal, done }: CliRun): Promise<number> {
  signal('SIGTERM')
  return done
}

/** A client's actions, for any server. */
export function clientOf(at: string) {
  const send = (method: string, path: string, body?: unknown, { session, scenario }: Where = {}) =>
    fetch(at + path, {
      method,
      headers: {
        authorization: ADMIN,
        'content-type': 'application/json',
        ...(session && { 'x-mock-session': session }),
        ...(scenario && { 'x-mock-scenario': scenario }),
      },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const must = async (status: number, method: string, path: string, body?: unknown, where?: Where) => {
    const response = await send(method, path, body, where)
    expect(response.status, `${method} ${path}`).toBe(status)
    return response
  }
  return {
    at,
    send,
    async create(names: string | readonly string[], where?: Where): Promise<void> {
      for (const name of [names].flat()) {
        await must(201, 'POST', '/api/admin/projects/default/features', { name }, where)
      }
    },
    async names(where?: Where): Promise<string[]> {
      const { features } = (await (await must(200, 'GET', '/__mock/state', undefined, where)).json()) as {
        features: { name: string }[]
      }
      return features.map(({ name }) => name).filter((name) => !BUILT_IN.includes(name))
    },
    async switchTo(name: string, where?: Where): Promise<void> {
      await must(200, 'PUT', '/__mock/scenario', { name }, where)
    },
    async activeScenarios(where?: Where): Promise<string[]> {
      return ((await (await must(200, 'GET', '/__mock/scenario', undefined, where)).json()) as { names: string[] })
        .names
    },
    async reset(where?: Where): Promise<void> {
      await must(204, 'POST', '/__mock/reset', undefined, where)
    },
  }
}
