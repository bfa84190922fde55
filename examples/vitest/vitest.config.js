import { defineConfig } from 'vitest/config'

// Its own: without one Vitest would take that of the repository around it.
export default defineConfig({})
