import { Fault } from '../../src/shared/rpc.ts'
import type { GatewayRights } from '../../src/main/gateway/gateway-parts.ts'

// For tests: rights where nobody may write, which a test can extend.

const none = () => {
  throw new Fault('not_ready', 'Nobody can be paired here yet.')
}

/** Rights where nobody may write. */
export const letNobody = (): GatewayRights => ({
  contacts: {
    admit: () => ({ kind: 'ignored', why: 'Nobody may speak.' }),
    of: () => undefined,
    privatePlace: () => undefined,
    groupMoved: () => {},
    spend: () => false,
    get: () => undefined,
  },
  questions: {
    ask: (_where, approval, signal, follower) => follower(approval, signal),
    press: async () => 'This button does nothing any more.',
    answerInWords: async () => 'There is nothing to decide.',
    reply: () => undefined,
    endLeft: async () => {},
  },
  shown: () => ({ contacts: [], groups: [] }),
  handlers: {
    'gateway.pair': none,
    'gateway.decide': none,
    'gateway.change': none,
    'gateway.remove': none,
    'gateway.allowGroup': none,
  },
  forget() {},
  close() {},
})
