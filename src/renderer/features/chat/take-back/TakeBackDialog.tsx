import type { ReactNode } from 'react'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { oneLine } from '../../../ui/text/format-values.ts'
import { byCount } from '../../../../shared/text/amounts.ts'
import { tellTrouble } from '../branches/MessageActions.tsx'
import { useChat } from '../store/open-chats.ts'
import type { ChatTakeBack } from './chat-take-back.ts'
import { ObeyedAgreement, OfferedFiles, StuckFiles, useFileChoice } from './OfferedFiles.tsx'
import { chosenLabel } from './take-back-words.ts'

/** Maximum length of the quoted question, in characters. */
const ASKED_CHARACTERS = 60

/** Asks which file changes of a turn to undo. */
export function TakeBackDialog(): ReactNode {
  const takingBack = useChat(chat => chat.takingBack)
  return takingBack && <Offer key={takingBack.turn} {...takingBack} />
}

function Offer({ asked, files }: NonNullable<ChatTakeBack['takingBack']>) {
  const takeChosen = useChat(chat => chat.takeChosen)
  const choice = useFileChoice(files, 'all')
  const { usable, stuck, wanted, isAgreed, isReady } = choice
  const cancel = () => void takeChosen(null)
  const question = oneLine(showHidden(asked), ASKED_CHARACTERS)
  if (usable.length === 0)
    return (
      <Dialog
        title={byCount(stuck.length, 'This change cannot be undone', 'These changes cannot be undone')}
        closeLabel="Close"
        width="medium"
        onClose={cancel}
      >
        <div className="grid max-h-[65vh] gap-4 overflow-y-auto pb-4">
          <StuckFiles files={stuck} />
        </div>
        <div className="flex justify-end">
          <button type="button" className="btn btn-secondary" onClick={cancel}>
            Close
          </button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title="Undo file changes?" closeLabel="Close" width="medium" onClose={cancel}>
      <div className="grid max-h-[65vh] gap-4 overflow-y-auto pb-4">
        <fieldset className="grid min-w-0 gap-1">
          <legend className="sr-only">File changes to undo</legend>
          <p className="mb-1 text-sm break-words text-ink-2">
            {question === ''
              ? 'The chat keeps its messages, and you can reverse this.'
              : `The answer to “${question}” changed this. The chat keeps its messages, and you can reverse this.`}
          </p>
          <OfferedFiles choice={choice} />
        </fieldset>
        <StuckFiles files={stuck} />
      </div>
      <ObeyedAgreement choice={choice} />
      <DialogButtons
        disabled={wanted.length === 0 || !isReady}
        label={wanted.length === 0 ? 'Undo' : chosenLabel(wanted)}
        onClick={() => void takeChosen(wanted, isAgreed).then(tellTrouble)}
        onCancel={cancel}
      />
    </Dialog>
  )
}
