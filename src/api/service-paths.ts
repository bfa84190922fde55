import { withoutTrailing } from '../support/trim.js'

/** The paths of the service's own OpenAPI document (8.2.0); `*` stands for any one segment. */
const paths = `
/api/admin/addons
/api/admin/addons/*
/api/admin/addons/*/events
/api/admin/api-tokens
/api/admin/api-tokens/*
/api/admin/archive/*
/api/admin/archive/revive/*
/api/admin/client-metrics/features/*
/api/admin/client-metrics/features/*/raw
/api/admin/constraints/validate
/api/admin/context
/api/admin/context/*
/api/admin/context/*/legal-values
/api/admin/context/*/legal-values/*
/api/admin/context/*/strategies
/api/admin/context/validate
/api/admin/environments
/api/admin/environments/*
/api/admin/environments/*/off
/api/admin/environments/*/on
/api/admin/environments/project/*
/api/admin/environments/sort-order
/api/admin/event-creators
/api/admin/events
/api/admin/events/*
/api/admin/feature-types
/api/admin/feature-types/*/lifetime
/api/admin/features-batch/export
/api/admin/features-batch/import
/api/admin/features-batch/validate
/api/admin/features/*/tags
/api/admin/features/*/tags/*/*
/api/admin/features/validate
/api/admin/feedback
/api/admin/feedback/*
/api/admin/instance-admin/statistics
/api/admin/instance-admin/statistics/csv
/api/admin/invite-link/tokens
/api/admin/invite-link/tokens/*
/api/admin/lifecycle/count
/api/admin/maintenance
/api/admin/metrics/applications
/api/admin/metrics/applications/*
/api/admin/metrics/applications/*/overview
/api/admin/metrics/instances/*/environment/*
/api/admin/metrics/sdks/outdated
/api/admin/metrics/unknown-flags
/api/admin/personal-dashboard
/api/admin/personal-dashboard/*
/api/admin/playground
/api/admin/playground/advanced
/api/admin/projects
/api/admin/projects/*/api-tokens
/api/admin/projects/*/api-tokens/*
/api/admin/projects/*/applications
/api/admin/projects/*/archive
/api/admin/projects/*/archive/validate
/api/admin/projects/*/bulk_features/environments/*/off
/api/admin/projects/*/bulk_features/environments/*/on
/api/admin/projects/*/context
/api/admin/projects/*/context/*
/api/admin/projects/*/context/*/legal-values
/api/admin/projects/*/context/*/legal-values/*
/api/admin/projects/*/context/*/strategies
/api/admin/projects/*/context/validate
/api/admin/projects/*/delete
/api/admin/projects/*/dependencies
/api/admin/projects/*/dora
/api/admin/projects/*/environments
/api/admin/projects/*/environments/*
/api/admin/projects/*/environments/*/default-strategy
/api/admin/projects/*/favorites
/api/admin/projects/*/features
/api/admin/projects/*/features/*
/api/admin/projects/*/features/*/clone
/api/admin/projects/*/features/*/dependencies
/api/admin/projects/*/features/*/dependencies/*
/api/admin/projects/*/features/*/environments/*
/api/admin/projects/*/features/*/environments/*/off
/api/admin/projects/*/features/*/environments/*/on
/api/admin/projects/*/features/*/environments/*/strategies
/api/admin/projects/*/features/*/environments/*/strategies/*
/api/admin/projects/*/features/*/environments/*/strategies/set-sort-order
/api/admin/projects/*/features/*/environments/*/variants
/api/admin/projects/*/features/*/favorites
/api/admin/projects/*/features/*/lifecycle
/api/admin/projects/*/features/*/lifecycle/complete
/api/admin/projects/*/features/*/lifecycle/uncomplete
/api/admin/projects/*/features/*/link
/api/admin/projects/*/features/*/link/*
/api/admin/projects/*/features/*/parent-variants
/api/admin/projects/*/features/*/parents
/api/admin/projects/*/features/*/variants-batch
/api/admin/projects/*/flag-creators
/api/admin/projects/*/health-report
/api/admin/projects/*/insights
/api/admin/projects/*/overview
/api/admin/projects/*/revive
/api/admin/projects/*/sdks/outdated
/api/admin/projects/*/stale
/api/admin/projects/*/status
/api/admin/projects/*/tags
/api/admin/record-ui-error
/api/admin/search/events
/api/admin/search/features
/api/admin/segments
/api/admin/segments/*
/api/admin/segments/*/strategies
/api/admin/segments/strategies
/api/admin/segments/strategies/*
/api/admin/segments/validate
/api/admin/splash/*
/api/admin/strategies
/api/admin/strategies/*
/api/admin/strategies/*/deprecate
/api/admin/strategies/*/reactivate
/api/admin/tag-types
/api/admin/tag-types/*
/api/admin/tag-types/validate
/api/admin/tags
/api/admin/tags/*
/api/admin/tags/*/*
/api/admin/telemetry/settings
/api/admin/ui-config
/api/admin/ui-config/cors
/api/admin/user
/api/admin/user-admin
/api/admin/user-admin/*
/api/admin/user-admin/*/change-password
/api/admin/user-admin/access
/api/admin/user-admin/admin-count
/api/admin/user-admin/inactive
/api/admin/user-admin/inactive/delete
/api/admin/user-admin/reset-password
/api/admin/user-admin/scim-users
/api/admin/user-admin/search
/api/admin/user-admin/validate-password
/api/admin/user/change-password
/api/admin/user/profile
/api/admin/user/roles
/api/admin/user/tokens
/api/admin/user/tokens/*
/api/client/features
/api/client/features/*
/api/client/metrics
/api/client/metrics/bulk
/api/client/register
/api/frontend
/api/frontend/client/metrics
/api/frontend/client/register
/auth/reset/password
/auth/reset/password-email
/auth/reset/validate
/auth/reset/validate-password
/auth/simple/login
/edge/issue-token
/edge/validate
/health
/invite/*/signup
/invite/*/validate
/ready
`

/** Every path of the service. */
export const servicePaths: readonly string[] = paths.trim().split('\n')

/** Whether a path is one that the service has, modelled or not. */
export function isServicePath(path: string): boolean {
  patterns ??= servicePaths.map(toPattern)
  const sent = withoutTrailing(path.toLowerCase(), '/')
  return patterns.some((pattern) => pattern.test(sent))
}

let patterns: readonly RegExp[] | undefined

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('*', '[^/]+')}$`)
}
