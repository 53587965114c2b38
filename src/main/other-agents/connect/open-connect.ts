import type { Connection } from '../../../shared/contract/connect.ts'
import type { HostHandlers } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { ForeignStore } from '../../db/foreign-tables.ts'
import type { Connector } from './connector.ts'

type Parts = {
  home: string
  connectors: readonly Connector[]
  foreign: Pick<ForeignStore, 'totals'>
}

/** Put Talaria into other programs and take it out again, after its plan was seen. */
export function openConnect({ connectors }: Parts) {
  const show = ({ program, title }: Connector): Connection => ({
    program,
    title,
    isInstalled: false,
    state: 'off',
    agentId: null,
    folder: null,
    connectedAt: null,
    lastEventAt: null,
    sessions: 0,
    events: 0,
    note: '',
  })
  return {
    handlers: {
      'connect.list': () => ({ connections: connectors.map(show) }),
      'connect.plan'() {
        throw new Fault('not_ready', 'Not yet.')
      },
      'connect.apply'() {
        throw new Fault('not_ready', 'Not yet.')
      },
    } satisfies Partial<HostHandlers>,
  }
}
