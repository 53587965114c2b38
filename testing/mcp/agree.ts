import type { HostClient } from '../../src/shared/contract/index.ts'
import type { McpServerState } from '../../src/shared/contract/connections/mcp.ts'
import { Fault } from '../../src/shared/rpc.ts'

type InputOf<Name extends keyof HostClient> = Parameters<HostClient[Name]>[0]
type Unseen<Name extends 'mcp.put' | 'mcp.accept' | 'mcp.switch'> = Omit<InputOf<Name>, 'seen'>

/** The hash of a server, or of one of its tools, as the list shows it now. */
async function seenOf(client: HostClient, name: string, tool?: string): Promise<string> {
  const { servers } = await client['mcp.list']({})
  const server = servers.find(each => each.name === name)
  const shown = tool === undefined ? server : server?.tools.find(each => each.name === tool)
  // For something missing, return a dummy hash, so that the host reports the problem.
  return shown?.seen ?? '0'.repeat(64)
}

/** Preview a server and add it, like a user who agrees right away. */
export async function putServer(client: HostClient, given: Unseen<'mcp.put'>): Promise<McpServerState> {
  const { seen } = await client['mcp.preview']({ server: given.server })
  return client['mcp.put']({ ...given, seen })
}

/** Read the current state of a server or a tool, and accept it. */
export async function acceptServer(client: HostClient, given: Unseen<'mcp.accept'>): Promise<McpServerState> {
  return client['mcp.accept']({ ...given, seen: await seenOf(client, given.name, given.tool) })
}

/** Read the current state of a server or a tool, and give it more rights. */
export async function switchServer(client: HostClient, given: Unseen<'mcp.switch'>): Promise<McpServerState> {
  return client['mcp.switch']({ ...given, seen: await seenOf(client, given.name, given.tool) })
}

/** The code and the sentence of the Fault that a call ends with. */
export async function faultOf(call: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await call
  } catch (error) {
    if (error instanceof Fault) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('The call was not refused.')
}
