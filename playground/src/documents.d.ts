/** The build bundles the text. */
declare module '*.yaml' {
  const text: string
  export default text
}
