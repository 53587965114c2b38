import type { ReactNode } from 'react'
import { Spinner } from '../../../ui/Spinner.tsx'
import { serverText as text } from './strings.ts'
import type { ServerForm } from './use-server-form.ts'

/** Asks the server whether it is there, and says in plain words what it answered. */
export function ServerTest({ form }: { form: ServerForm }): ReactNode {
  const { address, answer, testing, test } = form
  return (
    <div className="grid justify-items-start gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          className="btn btn-secondary"
          disabled={testing || address.kind !== 'known'}
          onClick={() => void test()}
        >
          {testing && <Spinner />}
          {testing ? text.testing : text.test}
        </button>
        {!answer && <p className="text-xs text-ink-3">{text.testHint}</p>}
      </div>
      <output className="grid gap-0.5 text-sm">{answer && <Answer answer={answer} />}</output>
    </div>
  )
}

function Answer({ answer }: { answer: NonNullable<ServerForm['answer']> }) {
  if (!answer.ok) return <p className="text-danger">{answer.fault.message}</p>
  const { ok, text: says, fix, ms } = answer.value
  return (
    <>
      <p className={ok ? 'text-good' : 'text-danger'}>
        {says} <span className="text-xs text-ink-3">{text.took(ms)}</span>
      </p>
      {fix !== '' && <p className="text-ink-2">{fix}</p>}
    </>
  )
}
