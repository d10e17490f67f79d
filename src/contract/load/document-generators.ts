import { asObject, isObject, type Members } from '../../base/formats/json.ts'

/** Whether springdoc generated a document: it describes its server so. */
export function isMadeBySpring({ servers }: Members): boolean {
  return Array.isArray(servers) && servers.some((one) => isObject(one) && one.description === 'Generated server url')
}

/** Whether Flask-AppBuilder generated a document, from the schemas of what its lists and items are asked by. */
export function isMadeByFlaskAppBuilder({ components }: Members): boolean {
  const schemas = asObject(asObject(components).schemas)
  return 'get_list_schema' in schemas && 'get_item_schema' in schemas
}

/** Whether FastAPI generated a document, from the models by which it validates requests. */
export function isMadeByFastApi({ components }: Members): boolean {
  return 'HTTPValidationError' in asObject(asObject(components).schemas)
}
