import type { Tool } from './tool.ts'

export const coreTools = (_config: { timeout_s: number }): Tool[] => []
