import { agentSettings } from './agent-settings.ts'
import { credentials } from './credentials.ts'
import { destructive } from './destructive.ts'
import { everydayWords } from './everyday-words.ts'
import { exfiltration } from './exfiltration.ts'
import { injection } from './injection.ts'
import { languages } from './languages.ts'
import { obfuscation } from './obfuscation.ts'
import { orders } from './orders.ts'
import { persistence } from './persistence.ts'
import { plainWords } from './plain-words.ts'
import { privilege, traversal } from './privilege.ts'
import { remoteOrders } from './remote-orders.ts'
import { supplyChain } from './supply-chain.ts'
import { trickery } from './trickery.ts'
import type { Rule } from '../rule.ts'

/** All rules, grouped by family. */
export const RULES: readonly Rule[] = [
  ...exfiltration,
  ...injection,
  ...remoteOrders,
  ...orders,
  ...trickery,
  ...plainWords,
  ...everydayWords,
  ...agentSettings,
  ...languages,
  ...destructive,
  ...persistence,
  ...supplyChain,
  ...privilege,
  ...traversal,
  ...credentials,
  ...obfuscation,
]
