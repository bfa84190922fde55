import type { Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin as VitePlugin } from 'vitest/config'

export declare const panelAssets: EsbuildPlugin
export declare const vitePanelAssets: VitePlugin
