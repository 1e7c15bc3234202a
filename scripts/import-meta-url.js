/** Stands for `import.meta.url` in the CommonJS bundles; taken into those alone that use it. */
export const importMetaUrl = /* @__PURE__ */ (() => require('node:url').pathToFileURL(__filename).href)();
