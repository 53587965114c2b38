import { useEffect, useRef, useState } from 'react'
import {
  SERVER_CONTEXT,
  START_TIMEOUT_S,
  type Model,
  type ModelServer,
  type ServerCheck,
} from '../../../../shared/contract/models/model.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { other, presetAt, presetOf, readAddress, type Preset, type Address } from './server-addresses.ts'

/** Maximum length of a model name, in characters. */
const LONGEST_NAME = 60

/** The form values of a server, and the state of the last connection test. */
export type ServerForm = {
  preset: Preset
  usePreset: (id: string) => void
  protocol: ModelServer['protocol']
  setProtocol: (protocol: ModelServer['protocol']) => void
  baseUrl: string
  setBaseUrl: (baseUrl: string) => void
  address: Address
  apiKey: string
  setApiKey: (apiKey: string) => void
  model: string
  setModel: (model: string) => void
  /** The display name. Derived from the model until the user types one. */
  name: string
  setName: (name: string) => void
  /** The maximum wait for the start of an answer, in seconds, as typed; empty if it is not set. */
  wait: string
  setWait: (wait: string) => void
  isWaitWrong: boolean
  /** The size of the context window, in tokens, as typed; empty when that is not set. */
  window: string
  setWindow: (window: string) => void
  isWindowWrong: boolean
  answer: Outcome<ServerCheck> | undefined
  testing: boolean
  test: () => Promise<void>
  busy: boolean
  problem: string | undefined
  /** Whether the form is complete enough to save. */
  ready: boolean
  submit: () => Promise<void>
}

/** The form of a new server, or of `known` when editing. `onDone` gets the saved model. */
export function useServerForm(known: Model | undefined, onDone: (model: Model) => void): ServerForm {
  const { client } = useLink()
  const server = known?.server
  const [preset, setPreset] = useState<Preset>(server ? presetAt(server.baseUrl) : other)
  const [fields, setFields] = useState({
    protocol: server?.protocol ?? 'openai',
    baseUrl: server?.baseUrl ?? '',
    apiKey: '',
    model: server?.model ?? '',
  })
  const [named, setNamed] = useState(known?.name)
  const [wait, setWait] = useState(String(server?.startTimeoutS ?? ''))
  const [window, setWindow] = useState(String(server?.contextTokens ?? ''))
  const [answer, setAnswer] = useState<Outcome<ServerCheck>>()
  const [testing, setTesting] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])

  const { protocol, baseUrl, apiKey, model } = fields
  const address = readAddress(baseUrl)
  const name = named ?? nameFor(model)
  const id = known && { id: known.id }
  const seconds = numberIn(wait)
  const isWaitWrong = isOutside(seconds, START_TIMEOUT_S)
  const contextTokens = numberIn(window)
  // Another model starts without a window of its own.
  const storedWindow = server?.model === model.trim() ? server.contextTokens : null
  const isWindowWrong = isOutside(contextTokens, SERVER_CONTEXT)

  function set(change: Partial<typeof fields>) {
    setFields(before => ({ ...before, ...change }))
    setProblem(undefined)
  }
  /** Changing the connection makes the last test result stale. */
  function setServer(change: Partial<typeof fields>) {
    asking.current?.abort()
    setTesting(false)
    setAnswer(undefined)
    set(change)
  }

  return {
    preset,
    usePreset(chosen) {
      const next = presetOf(chosen)
      setPreset(next)
      // Reset the key and the model. A key typed for one server must not reach another.
      setServer({ protocol: next.protocol, baseUrl: next.baseUrl, apiKey: '', model: '' })
    },
    ...fields,
    setProtocol: protocol => setServer({ protocol }),
    setBaseUrl: baseUrl => setServer({ baseUrl }),
    setApiKey: apiKey => setServer({ apiKey }),
    setModel: model => set({ model }),
    address,
    name,
    setName(name) {
      setNamed(name)
      setProblem(undefined)
    },
    wait,
    setWait(wait) {
      setWait(wait)
      setProblem(undefined)
    },
    isWaitWrong,
    window,
    setWindow(window) {
      setWindow(window)
      setProblem(undefined)
    },
    isWindowWrong,
    answer,
    testing,
    async test() {
      asking.current?.abort()
      const turn = new AbortController()
      asking.current = turn
      setAnswer(undefined)
      setTesting(true)
      const asked = { ...id, protocol, baseUrl: baseUrl.trim(), apiKey, model: '' }
      const answer = await attemptCall(client['model.tryServer'](asked, { signal: turn.signal }))
      if (turn.signal.aborted) return
      setTesting(false)
      setAnswer(answer)
      const only = answer.ok && answer.value.models.length === 1 ? answer.value.models[0] : undefined
      // A single model is selected automatically.
      if (only) setFields(before => (before.model.trim() === '' ? { ...before, model: only.id } : before))
    },
    busy,
    problem,
    ready:
      address.kind === 'known' && model.trim() !== '' && name.trim() !== '' && !isWaitWrong && !isWindowWrong,
    async submit() {
      setBusy(true)
      setProblem(undefined)
      const kept = {
        ...id,
        protocol,
        baseUrl: baseUrl.trim(),
        apiKey,
        model: model.trim(),
        name: name.trim(),
        ...(server && seconds !== server.startTimeoutS && { startTimeoutS: seconds }),
        ...(server && contextTokens !== storedWindow && { contextTokens }),
      }
      const added = await attemptCall(client['model.addServer'](kept))
      setBusy(false)
      if (added.ok) onDone(added.value)
      else setProblem(added.fault.message)
    },
  }
}

/** A number as typed; null for nothing. */
const numberIn = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed))

const isOutside = (value: number | null, [least, most]: readonly [number, number]): boolean =>
  value !== null && !(Number.isInteger(value) && value >= least && value <= most)

/** The last path segment of a model id: `llama-3.3-70b` for `meta-llama/llama-3.3-70b`. */
const nameFor = (model: string): string =>
  (
    model
      .trim()
      .split('/')
      .findLast(part => part !== '') ?? ''
  ).slice(0, LONGEST_NAME)
