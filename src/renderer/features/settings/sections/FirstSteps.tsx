import type { ReactNode } from 'react'
import { attempt } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { settingsText } from '../strings.ts'
import { Part } from './Part.tsx'

const text = settingsText.general

/** The way back to the first steps. */
export function FirstSteps(): ReactNode {
  const { client } = useLink()
  const again = async () => {
    const answer = await attempt(client['setup.again']({}))
    if (!answer.ok) showToast(settingsText.failed(answer.fault.message), { level: 'error' })
  }
  return (
    <Part id="first" title={text.first} hint={text.firstHint}>
      <button type="button" className="btn btn-secondary" onClick={() => void again()}>
        {text.again}
      </button>
    </Part>
  )
}
