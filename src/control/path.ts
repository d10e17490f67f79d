/** The path of the control API. */
export const CONTROL_PATH = '/__mock'
