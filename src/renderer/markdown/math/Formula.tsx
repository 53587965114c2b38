import { lazy, Suspense, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { CopyButton } from '../../ui/IconButton.tsx'
import { cx } from '../../ui/style.ts'
import { setInFrame } from './formula-frames.ts'

type Props = {
  /** The source between the delimiters. */
  tex: string
  /** The source with its delimiters, as written. */
  raw: string
  /** Whether it is a display formula on its own line. */
  display: boolean
}

/** A formula, or its source until it is rendered. The renderer is loaded with the first formula. */
export function Formula(props: Props): ReactNode {
  const source = <Source {...props} />
  return (
    <Suspense fallback={source}>
      <Typeset {...props} source={source} />
    </Suspense>
  )
}

function Source({ raw, problem = false }: Props & { problem?: boolean }) {
  return (
    <code
      dir="ltr"
      className="formula-source"
      title={problem ? 'This formula could not be rendered.' : undefined}
    >
      {showHidden(raw)}
    </code>
  )
}

type SetProps = Props & { source: ReactNode }

const Typeset = lazy(async () => {
  try {
    const { typesetFormula } = await import('./typeset.ts')
    return { default: withTypesetter(typesetFormula) }
  } catch {
    // A host that exits at this moment cannot deliver the module.
    return { default: ({ source }: SetProps) => source }
  }
})

const withTypesetter = (typeset: (tex: string, isDisplay: boolean) => Node | undefined) =>
  function SetFormula({ source, ...formula }: SetProps): ReactNode {
    const { tex, raw, display } = formula
    const place = useRef<HTMLSpanElement>(null)
    const [state, setState] = useState<'waits' | 'set' | 'failed'>('waits')

    useLayoutEffect(
      () =>
        setInFrame(() => {
          const node = typeset(tex, display)
          if (node) place.current?.replaceChildren(node)
          setState(node ? 'set' : 'failed')
        }),
      [tex, display],
    )
    const isWide = useIsWide(place, display && state === 'set')
    if (state === 'failed') return <Source {...formula} problem />
    return (
      <>
        {state === 'waits' && source}
        <span
          hidden={state === 'waits'}
          className={display ? 'formula-line' : 'formula'}
          dir="ltr"
          // The text that is copied for the formula.
          data-formula={raw}
        >
          <span
            ref={place}
            className={cx(display && 'formula-scroll')}
            {...(isWide && { tabIndex: 0, role: 'group', 'aria-label': 'Formula' })}
          />
          {display && (
            <CopyButton
              label="Copy the formula"
              doneLabel="Copied"
              text={() => raw}
              className="formula-copy"
            />
          )}
        </span>
      </>
    )
  }

/** Whether a formula is wider than its line, so that keys must be able to scroll it. */
function useIsWide(place: { current: HTMLElement | null }, watched: boolean): boolean {
  const [isWide, setIsWide] = useState(false)
  useLayoutEffect(() => {
    const element = place.current
    if (!watched || !element) return undefined
    const sizes = new ResizeObserver(() => setIsWide(element.scrollWidth > element.clientWidth + 1))
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [place, watched])
  return isWide
}
