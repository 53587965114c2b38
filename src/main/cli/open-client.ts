import { connect } from '../../shared/connect.ts'
import { contract, type HostClient } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { resolveHome } from '../config/home.ts'
import { createHost } from '../host.ts'
import { memoryChannels } from '../rpc/channels.ts'
import { connectPipe } from '../rpc/pipe.ts'
import { serve } from '../rpc/serve.ts'

/** A client, and how to leave. */
export type Opened = { client: HostClient; close(): Promise<void> }

/** Talk to the host that owns the home folder; when none runs, be that host for as long as the command lasts. */
export async function openClient(givenHome: string | undefined, workspace: string): Promise<Opened> {
  const home = resolveHome(givenHome)
  try {
    const host = await createHost({ hosting: 'cli', home, workspace })
    const [ours, theirs] = memoryChannels()
    serve(contract, host.handlers, theirs, host.report)
    return { client: connect(contract, ours), close: host.close }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'busy') throw error
    const channel = await connectPipe(home)
    if (!channel) throw new Fault('busy', `${error.message} It does not answer; close it and try again.`)
    return { client: connect(contract, channel), close: async () => channel.close() }
  }
}
