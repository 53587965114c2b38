import { useMemo, type ReactNode } from 'react'
import { CopyButton } from '../ui/IconButton.tsx'
import { useFold } from '../ui/text/fold-text.tsx'
import { Scrollable } from '../ui/Scrollable.tsx'
import { showHidden } from '../../shared/visible-text/show-hidden.ts'
import { highlightCode, type Piece } from './highlight-code.ts'

/** Maximum length of a block highlighted while streaming, in characters: each token re-parses it. */
const LIVE_LENGTH = 4_000

/** A code block with its language, a copy button and highlighting for known languages. */
export function CodeBlock({
  code,
  language,
  live,
}: {
  code: string
  language: string
  live: boolean
}): ReactNode {
  // Invisible and direction-changing characters could make code look different from what runs.
  const visible = useMemo(() => showHidden(code), [code])
  const { shown, buttons } = useFold(visible, 'code', live)
  const pieces = useMemo(
    () => (live && shown.length > LIVE_LENGTH ? undefined : highlightCode(shown, language)),
    [shown, language, live],
  )
  return (
    <figure className="code-block" dir="ltr">
      <figcaption>
        <span>{language === '' ? 'code' : language}</span>
        <CopyButton label="Copy code" doneLabel="Copied" text={() => code} />
      </figcaption>
      <Scrollable as="pre" label={language === '' ? 'Code' : `Code, ${language}`}>
        <code>{pieces ? draw(pieces) : shown}</code>
      </Scrollable>
      {buttons}
    </figure>
  )
}

const draw = (pieces: readonly Piece[]): ReactNode[] =>
  pieces.map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- pieces have no identity beyond their place
      <span key={index} className={`tok-${piece.scope.split('.')[0]}`}>
        {draw(piece.children)}
      </span>
    ),
  )
