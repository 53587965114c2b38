import { claudeCode } from './claude-code.ts'
import type { Connector } from './connector.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'

/** The programs that Talaria can connect to. */
export const CONNECTORS: readonly Connector[] = [claudeCode, pi, opencode]
