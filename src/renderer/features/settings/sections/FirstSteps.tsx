import type { ReactNode } from 'react'
import { attempt } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { Part } from './Part.tsx'

/** The button that reopens the first steps. */
export function FirstSteps(): ReactNode {
  const { client } = useLink()
  const again = async () => {
    const answer = await attempt(client['setup.again']({}))
    if (!answer.ok) showToast(`The setting was not saved: ${answer.fault.message}`, { level: 'error' })
  }
  return (
    <Part
      id="first"
      title="First steps"
      hint="Welcome, this computer, a model and learning. You can skip any step."
    >
      <button type="button" className="btn btn-secondary" onClick={() => void again()}>
        Show them again
      </button>
    </Part>
  )
}
