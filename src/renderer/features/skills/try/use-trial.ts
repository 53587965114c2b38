import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { HostClient } from '../../../../shared/contract/index.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'

type Streamed<S> = S extends AsyncGenerator<infer T, void, void> ? T : never
/** Which skill a model would load for a sample. */
export type Answer = Streamed<ReturnType<HostClient['skills.tryTrigger']>>

/** The last run: its samples and the answers so far, in order. */
export type Run = {
  state: 'running' | 'over' | 'stopped'
  samples: readonly string[]
  answers: readonly Answer[]
  problem: string
}

/** Maximum number of samples: the host's limit per request, and few enough to read. */
export const SAMPLES = 5
const blank = () => Array.from({ length: SAMPLES }, () => '')

/** The samples of a skill and the runs on them. Use one component instance per skill. */
export function useTrial(id: string) {
  const { client } = useLink()
  const [samples, setSamples] = useState<readonly string[]>()
  const [problem, setProblem] = useState('')
  const [run, setRun] = useState<Run>()
  const underWay = useRef(new AbortController())
  const asking = useRef(new AbortController())

  async function fetchSamples() {
    asking.current.abort()
    const over = (asking.current = new AbortController())
    const answer = await attemptCall(client['skills.samples']({ id }, { signal: over.signal }))
    if (over.signal.aborted) return
    if (!answer.ok) setProblem(answer.fault.message)
    setSamples(answer.ok ? blank().map((_, at) => answer.value.samples[at] ?? '') : blank())
  }
  const load = () => {
    setSamples(undefined)
    setRun(undefined)
    setProblem('')
    void fetchSamples()
  }
  const begin = useEffectEvent(() => void fetchSamples())
  useEffect(() => {
    begin()
    return () => {
      underWay.current.abort()
      asking.current.abort()
    }
  }, [])

  async function ask() {
    const asked = (samples ?? []).map(sample => sample.trim()).filter(sample => sample !== '')
    if (asked.length === 0) return
    underWay.current.abort()
    const { signal } = (underWay.current = new AbortController())
    setRun({ state: 'running', samples: asked, answers: [], problem: '' })
    const change = (change: (run: Run) => Partial<Run>) => {
      if (!signal.aborted) setRun(run => run && { ...run, ...change(run) })
    }
    const follow = async () => {
      for await (const answer of client['skills.tryTrigger']({ id, samples: asked }, { signal }))
        change(({ answers }) => ({ answers: [...answers, answer] }))
    }
    const outcome = await attemptCall(follow())
    change(() => ({ state: 'over', problem: outcome.ok ? '' : outcome.fault.message }))
  }

  return {
    samples,
    problem,
    run,
    load,
    ask,
    write(at: number, text: string) {
      setSamples(samples => samples?.with(at, text))
    },
    stop() {
      underWay.current.abort()
      setRun(run => run && { ...run, state: 'stopped' })
    },
  }
}
