import { useState, type ReactNode } from 'react'
import type { Model, ModelServer, ServerCheck } from '../../../../shared/contract/model.ts'
import { attempt, type Outcome } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { ChangeServer } from '../add-server/ChangeServer.tsx'
import { Facts } from '../Facts.tsx'
import { pageText } from '../page-strings.ts'

const text = pageText.server

/** Where a server is and where its key comes from, and whether it answers. */
export function ServerDetail({ model, server }: { model: Model; server: ModelServer }): ReactNode {
  const { client } = useLink()
  const [busy, setBusy] = useState(false)
  const [answered, setAnswered] = useState<{ about: ModelServer; answer: Outcome<ServerCheck> }>()
  const { protocol, baseUrl } = server
  // When the server was changed meanwhile, its old answer says nothing.
  const answer = answered && isSame(answered.about, server) ? answered.answer : undefined
  const test = async () => {
    setBusy(true)
    setAnswered(undefined)
    const asked = { id: model.id, protocol, baseUrl, model: server.model }
    setAnswered({ about: server, answer: await attempt(client['model.tryServer'](asked)) })
    setBusy(false)
  }
  return (
    <div className="grid justify-items-start gap-3">
      <Facts
        title={text.heading}
        facts={[
          [text.address, baseUrl],
          [text.model, server.model],
          [text.protocol, text.protocols[protocol]],
          [text.key, text.keys[server.key]],
        ]}
      />
      <p className="text-xs text-ink-2">{server.nearby ? text.nearby : text.far}</p>
      <div className="flex flex-wrap gap-2">
        <button type="button" className="btn btn-secondary" disabled={busy} onClick={() => void test()}>
          {busy ? text.testing : text.test}
        </button>
        <ChangeServer model={model} />
      </div>
      <output className="grid gap-1 text-sm">{answer && <Answer answer={answer} />}</output>
    </div>
  )
}

function Answer({ answer }: { answer: Outcome<ServerCheck> }) {
  if (!answer.ok) return <p className="text-danger">{answer.fault.message}</p>
  const { ok, text: says, fix, ms } = answer.value
  return (
    <>
      <p className={ok ? 'text-good' : 'text-danger'}>{says}</p>
      {ok ? <p className="text-xs text-ink-3">{text.took(ms)}</p> : <p className="text-ink-2">{fix}</p>}
    </>
  )
}

const isSame = (a: ModelServer, b: ModelServer): boolean =>
  a.protocol === b.protocol && a.baseUrl === b.baseUrl && a.model === b.model && a.key === b.key
