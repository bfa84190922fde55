/** The tags of the OpenAPI document, which are the service's, and what each is about. */
export const TAGS: Readonly<Record<string, string>> = {
  Addons: 'Integrations such as webhooks. Their messages are recorded, and never sent',
  'Admin UI': 'What the admin interface needs for itself',
  'API tokens': 'Keys for the admin API and for SDKs',
  Archive: 'Archived features: reviving and deleting them',
  Auth: 'Signing in and out, and links to choose a password',
  Client: 'What server-side SDKs call',
  Context: 'Fields of the context, and their legal values',
  Dependencies: 'Features that depend on others',
  Environments: 'Environments, and their place in projects',
  Events: 'The event log',
  'Feature Types': 'Types of features, and how long they are meant to live',
  Features: 'Feature flags with their environments, strategies, variants, tags and links',
  'Frontend API': 'What frontend SDKs call',
  'Import/Export': 'Features as a file',
  'Instance Admin': 'Statistics of the instance',
  Maintenance: 'Maintenance mode, in which nothing can be changed',
  Metrics: 'What SDKs report, and the applications that they run in',
  Operational: 'Whether the service works',
  'Personal access tokens': 'Keys that belong to a user',
  Playground: 'Evaluating features for a context',
  Projects: 'Projects with their members, settings and figures',
  'Public signup tokens': 'Links that invite users to sign up',
  Search: 'Searching for features',
  Segments: 'Constraints that strategies share',
  Strategies: 'Types of strategies, and what strategies use',
  Tags: 'Tags, and their types',
  Telemetry: 'Settings of telemetry',
  'Unknown Flags': 'Names that SDKs report and no feature has',
  'Unleash Edge': 'What the service offers to Unleash Edge',
  Users: 'Users, roles and passwords',
}

/** Groups of operations for which the service has no tag of its own, and the tag that it gives them. */
const WIDER: Readonly<Record<string, string>> = {
  Constraints: 'Features',
  'Environment variants': 'Features',
  Favorites: 'Features',
  'Feature types': 'Feature Types',
  Lifecycle: 'Features',
  Links: 'Features',
  'Personal dashboard': 'Projects',
  Signup: 'Public signup tokens',
  'Strategy types': 'Strategies',
  'Tag types': 'Tags',
}

/** The tag of a row in the OpenAPI document. */
export function tagOf({ tag }: { tag: string }): string {
  return WIDER[tag] ?? tag
}
