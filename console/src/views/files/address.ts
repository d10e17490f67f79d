/** What an address of the view names: `#/files/{fileSetId}/{fileId}`. Ids may hold any character. */
export interface Address {
  readonly fileSetId?: string
  readonly fileId?: string
}

/** @param hash `location.hash` */
export function readAddress(hash: string): Address {
  const [fileSetId, fileId] = hash.replace(/^#?\/?files\/?/, '').split('/')
  return {
    ...(fileSetId ? { fileSetId: decoded(fileSetId) } : {}),
    ...(fileId ? { fileId: decoded(fileId) } : {}),
  }
}

/** The address below that of the view. */
export function writeAddress({ fileSetId, fileId }: Address): string {
  return ['', fileSetId, fileId].flatMap((part) => (part === undefined ? [] : [encodeURIComponent(part)])).join('/')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
