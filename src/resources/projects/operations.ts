import { ok } from '../../support/result.js'
import { defineOperation } from '../define-operation.js'
import { presentProject } from './rules.js'
import { projectsSchema } from './schema.js'

export const getProjects = defineOperation({
  id: 'getProjects',
  method: 'GET',
  path: '/api/admin/projects',
  summary: 'The active projects',
  tag: 'Projects',
  access: 'admin',
  success: { status: 200, description: 'The projects', schema: projectsSchema },
  errors: [401],
  run: ({ world, profile }) => {
    const { listed } = profile.projects
    const projects = world.tables.projects
      .list()
      .filter((project) => project.archivedAt === null && (listed === undefined || listed.includes(project.id)))
      .map((project) => presentProject(project, world.tables))
    return ok({ body: { version: 1, projects } })
  },
})
