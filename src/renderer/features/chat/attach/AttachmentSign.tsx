import { Braces, Database, File, FileText, Globe, ImageIcon, Mail, Presentation, Sheet } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AttachmentKind } from '../../../../shared/contract/attachments.ts'

const SIGNS: Partial<Record<AttachmentKind, typeof File>> = {
  picture: ImageIcon,
  pptx: Presentation,
  odp: Presentation,
  xlsx: Sheet,
  ods: Sheet,
  csv: Sheet,
  sqlite: Database,
  html: Globe,
  eml: Mail,
  ipynb: Braces,
  other: File,
}

/** The sign of a kind of file, on a tile. */
export function AttachmentSign({ kind }: { kind: AttachmentKind }): ReactNode {
  const Sign = SIGNS[kind] ?? FileText
  return (
    <span className="attachment-sign">
      <Sign size={17} aria-hidden="true" />
    </span>
  )
}
