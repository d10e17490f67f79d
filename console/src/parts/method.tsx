/** The method of a request; its class tells the colour. */
export function Method({ name }: { readonly name: string }) {
  return <span class={`method method-${name.toLowerCase()}`}>{name}</span>
}
