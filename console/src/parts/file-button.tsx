interface FileButtonProps {
  readonly label: string
  /** The endings of the files, as `accept` of an input has them. */
  readonly accept: string
  /** Called with the text of the file. */
  readonly load: (text: string) => void
}

/** A button that reads a file of the person's machine. */
export function FileButton({ label, accept, load }: FileButtonProps) {
  return (
    <label class="file-button">
      {label}
      <input
        type="file"
        class="visually-hidden"
        accept={accept}
        onChange={(event) => {
          const { currentTarget: input } = event
          void input.files?.[0]?.text().then((text) => {
            // The same file may be read again when it was written anew.
            input.value = ''
            load(text)
          })
        }}
      />
    </label>
  )
}
