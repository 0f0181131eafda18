#!/usr/bin/env -S deno run -A
