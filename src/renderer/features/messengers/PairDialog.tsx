import { useEffect, useState, type ReactNode } from 'react'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { Contact, GatewayPlatform, PairingStep } from '../../../shared/contract/connections/gateway.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { Banner, Problem } from '../../ui/Banner.tsx'
import { Select } from '../../ui/fields/Choice.tsx'
import { Dialog, StepHeading } from '../../ui/Dialog.tsx'
import { formatDuration } from '../../ui/text/format-values.ts'
import { Spinner } from '../../ui/Progress.tsx'
import { cx } from '../../ui/style.ts'
import { placeElements } from '../../ui/text/place-elements.tsx'

type Props = { platform: GatewayPlatform; contacts: readonly Contact[]; onClose: () => void }
type Asks = Extract<PairingStep, { step: 'asks' }>

/** Shows a code for the phone, then asks who it was. Pairing is possible only while this dialog is open. */
export function PairDialog({ platform, contacts, onClose }: Props): ReactNode {
  /** A new code starts a new pairing. */
  const [round, setRound] = useState(0)
  return (
    <Dialog title={`Pair with ${platform.title}`} closeLabel="Close" width="medium" onClose={onClose}>
      <OnePairing
        key={round}
        platform={platform.name}
        contacts={contacts}
        onAgain={() => setRound(round + 1)}
        onClose={onClose}
      />
    </Dialog>
  )
}

type OneProps = {
  platform: string
  contacts: readonly Contact[]
  onAgain: () => void
  onClose: () => void
}

function OnePairing({ platform, contacts, onAgain, onClose }: OneProps) {
  const { step, problem } = usePairing(platform)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Problem text={showHidden(problem)} />
      {!step && problem === '' && <Spinner size={16} />}
      {step?.step === 'code' && <ShownCode step={step} />}
      {step?.step === 'asks' && <WhoIsIt asks={step} contacts={contacts} />}
      {step?.step === 'paired' && (
        <>
          <StepHeading>Paired</StepHeading>
          <p className="text-sm text-ink-2">
            Write to your bot now. The card on this page shows what it may do.
          </p>
          <button type="button" className="btn btn-primary justify-self-end" onClick={onClose}>
            Done
          </button>
        </>
      )}
      {step?.step === 'over' && (
        <>
          <p className="text-sm text-ink-2">{showHidden(step.text)}</p>
          <button type="button" className="btn btn-primary justify-self-end" onClick={onAgain}>
            Show a new code
          </button>
        </>
      )}
    </div>
  )
}

function usePairing(platform: string) {
  const { client } = useLink()
  const [step, setStep] = useState<PairingStep>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const over = new AbortController()
    const show = (next: PairingStep) => {
      if (!over.signal.aborted) setStep(next)
    }
    void attemptCall(followPairing(client, platform, over.signal, show)).then(answer => {
      if (!answer.ok && !over.signal.aborted) setProblem(answer.fault.message)
    })
    return () => over.abort()
  }, [client, platform])
  return { step, problem }
}

async function followPairing(
  client: HostClient,
  platform: string,
  signal: AbortSignal,
  show: (step: PairingStep) => void,
): Promise<void> {
  for await (const step of client['gateway.pair']({ platform }, { signal })) show(step)
}

const inBold = (words: string) => <strong>{words}</strong>

const linkTo = (address: string) => (words: string) => (
  <a className="link-btn" href={address} target="_blank" rel="noreferrer">
    {words}
  </a>
)

function ShownCode({ step }: { step: Extract<PairingStep, { step: 'code' }> }) {
  const left = useLeft(step.expiresAt)
  return (
    <>
      <StepHeading>Scan this with your phone</StepHeading>
      <QrCode squares={step.squares} />
      <p className="text-sm text-ink-2">
        {placeElements(
          'Your phone opens the bot; press <button>Start</button> there. On this computer, <link>open the link</link> instead, or send this line to the bot:',
          {
            button: inBold,
            link: linkTo(step.link),
          },
        )}
      </p>
      <p dir="ltr" className="rounded-lg bg-sunken px-3 py-2 font-mono text-xs break-all select-all">
        {`/start ${step.code}`}
      </p>
      <p className="text-xs text-ink-3">
        {`Keep this dialog open. The code works once, for ${formatDuration(left)}.`}
      </p>
    </>
  )
}

/** The remaining time until an instant, in ms, updated every second. */
function useLeft(until: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, until - now)
}

/**
 * A QR code, dark on light in every theme, as cameras need it. Two squares are added to the given margin, for
 * a quiet zone of four.
 */
function QrCode({ squares }: { squares: readonly (readonly boolean[])[] }) {
  const size = squares.length
  const dark = squares.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      role="img"
      aria-label="QR code of the link below"
      viewBox={`-2 -2 ${size + 4} ${size + 4}`}
      shapeRendering="crispEdges"
      className="w-56 max-w-full justify-self-center rounded-lg"
    >
      <rect x={-2} y={-2} width={size + 4} height={size + 4} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}

const NEW = ''

/** The last button is the likeliest answer. */
const NOBODY = { as: 'nobody', label: 'Nobody I know', look: 'btn-secondary' } as const
const NEW_CONTACT = [
  NOBODY,
  { as: 'other', label: 'Somebody else', look: 'btn-secondary' },
  { as: 'you', label: 'This is me', look: 'btn-primary' },
] as const
const KNOWN_CONTACT = [NOBODY, { as: 'you', label: 'Add this account', look: 'btn-primary' }] as const

function WhoIsIt({ asks, contacts }: { asks: Asks; contacts: readonly Contact[] }) {
  const { client } = useLink()
  const [known, setKnown] = useState(NEW)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { pairingId, seen, name, username, accountId, note } = asks
  async function decide(as: 'you' | 'other' | 'nobody') {
    setBusy(true)
    const contact = contacts.find(({ id }) => id === known)
    const answer = await attemptCall(
      client['gateway.decide']({
        pairingId,
        seen,
        as: contact && as !== 'nobody' ? contact.relation : as,
        ...(contact && as !== 'nobody' && { contactId: contact.id }),
      }),
    )
    setBusy(false)
    if (!answer.ok) setProblem(answer.fault.message)
  }
  return (
    <>
      <StepHeading>Who is this?</StepHeading>
      <p className="text-sm">
        {placeElements(username === '' ? WANTS : WANTS_WITH_NAME, {
          name: <strong dir="auto">{showHidden(name)}</strong>,
          username: `@${showHidden(username)}`,
          number: <span className="font-mono">{accountId}</span>,
        })}
      </p>
      <Problem text={showHidden(problem)} />
      {note !== '' && <Banner level="info">{showHidden(note)}</Banner>}
      {contacts.length > 0 && (
        <Select
          label="Another account of"
          showLabel
          value={known}
          options={[
            { value: NEW, label: 'Nobody yet: a new contact' },
            ...contacts.map(({ id, name: label }) => ({ value: id, label: showHidden(label) })),
          ]}
          onChange={setKnown}
        />
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {(known === NEW ? NEW_CONTACT : KNOWN_CONTACT).map(({ as, label, look }) => (
          <button
            key={as}
            type="button"
            className={cx('btn', look)}
            disabled={isBusy}
            onClick={() => void decide(as)}
          >
            {label}
          </button>
        ))}
      </div>
      <ul className="grid gap-1 text-xs text-ink-2">
        <li>You: it reads your notes, remembers and learns, just as in this window.</li>
        <li>Somebody else: it knows nothing about you, and nothing from there is saved in your memory.</li>
      </ul>
    </>
  )
}

const WANTS =
  '{name} wants to write to your agent. The number of this account is {number}; anyone can choose any name.'
const WANTS_WITH_NAME =
  '{name} ({username}) wants to write to your agent. The number of this account is {number}; anyone can choose any name.'
