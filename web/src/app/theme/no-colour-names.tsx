/** Stands in for the table of CSS colour names in @ant-design/fast-color (see vite.config.ts): every colour here is written in figures. */
export default {};
