import { isObject } from '../support/json-path.js'
import type { State } from './state.js'

/** The environments of which given state says that they do not exist. */
export function environmentsSaidGone(given: unknown): string[] {
  const entries = isObject(given) && Array.isArray(given.environments) ? (given.environments as unknown[]) : []
  return entries.flatMap((entry) => (isObject(entry) && entry.exists === false ? [String(entry.name)] : []))
}

/** A snapshot without some environments: no project is connected to them any more, and no feature is in them. */
export function withoutEnvironments(state: State, gone: readonly string[]): State {
  const stays = (name: string) => !gone.includes(name)
  return {
    ...state,
    environments: state.environments.filter(({ name }) => stays(name)),
    projects: state.projects.map((project) => ({
      ...project,
      environments: project.environments.filter(stays),
      changeRequests: project.changeRequests.filter(stays),
    })),
    features: state.features.map(({ onlyIn, ...feature }) => ({
      ...feature,
      ...(onlyIn === undefined ? {} : { onlyIn: onlyIn.filter(stays) }),
      environments: feature.environments.filter(({ name }) => stays(name)),
    })),
  }
}
