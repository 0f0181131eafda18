import { serveEngine } from "./serve_engine.ts";

if (import.meta.main) await serveEngine();
