import { once } from 'node:events'
import { LocalMcpServer } from '../../src/shared/contract/connections/mcp.ts'
import { openConfinement } from '../../src/main/confinement/open-confinement.ts'
import { commandConfinement } from '../../src/main/confinement/sandbox-setting.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { openConnections } from '../../src/main/mcp/connections/open-connections.ts'

/**
 * Call a server tool as a host does, print a line once the call is under way, and close when the input ends.
 * Meant to be killed. Arguments: the home folder, the setting for confinement, the command of the server, its
 * program and mode, and a variable for its environment.
 */
const [home = '', sandbox = '', command = '', program = '', mode = '', mark = ''] = process.argv.slice(2)
const [name = '', value = ''] = mark.split('=')
const confiner = openConfinement({ home, readable: () => [] })
const server = LocalMcpServer.parse({ name: 'one', command, args: [program, mode], env: { [name]: value } })
const connections = openConnections({
  home,
  commands: commandConfinement(confiner, {
    sandbox: () => (sandbox === 'on' ? 'on' : 'off'),
    isOffline: () => false,
  }),
  keyOf: () => undefined,
  loginPath: async () => process.env['PATH'] ?? '',
  entryOf: () => server,
  fetchFor: () => fetch,
  version: '1.0.0',
  now: Date.now,
})
const tools = await connections.listTools('one')
if (isRefusal(tools)) throw new Error(tools.refused)
const outcome = connections.call(
  'one',
  'echo',
  { text: 'x' },
  {
    signal: new AbortController().signal,
    timeoutMs: 60_000,
  },
)
if (mode === 'good' || mode === 'grandchild') await outcome
process.stdout.write('called\n')
process.stdin.resume()
await once(process.stdin, 'end')
await connections.close()
await outcome
