# frozen_string_literal: true

# Helper library for Ruby tools: write a block, not the protocol.
#
#   require "skillz"
#
#   Skillz.tool do |args|
#     Skillz.progress(1, 2, "asking")
#     Skillz.memory.set("last", args["city"])
#     { city: args["city"] }
#   end
#
# The block gets the arguments as a Hash with string keys (or takes keywords) and returns any JSON value. An exception is
# the tool's failure. `puts` goes to stderr. The script is read to its end before the first call.

require "json"

module Skillz
  # The server could not do what was asked.
  class Error < StandardError
    attr_reader :code, :data

    def initialize(message, code: -32000, data: nil)
      super(message)
      @code = code
      @data = data
    end
  end

  # A called tool failed; `result` is its whole result.
  class ToolError < Error
    attr_reader :result

    def initialize(message, result)
      super(message)
      @result = result
    end
  end

  # The call is not wanted any more.
  class Cancelled < Exception; end

  Call = Struct.new(:id, :arguments, :context, :thread, :cancelled)

  # stdout belongs to the protocol; whatever else writes to it, children included, reaches stderr.
  OUT = $stdout.dup.tap { |io| io.sync = true; io.binmode }
  IN = $stdin.dup.tap(&:binmode)
  $stdout.reopen($stderr)
  $stdin.reopen(File::NULL)
  WRITING = Mutex.new

  @calls = {}
  @pending = {}
  @last_id = 0

  class << self
    # Makes the block the tool.
    def tool(&block)
      raise ArgumentError, "give Skillz.tool a block" unless block

      first = @block.nil?
      @block = block
      at_exit { serve if $!.nil? || ($!.is_a?(SystemExit) && $!.success?) } if first
    end

    # Tells how far the call has come.
    def progress(current, total = nil, message = nil)
      notify("progress", progress: current, total: total, message: message)
    end

    # Sends a message to the client's log.
    def log(message, level = "info", data: nil)
      notify("log", level: level.to_s, message: message.to_s, data: data)
    end

    # Hands on a piece of output before the result.
    def stream(data, index: nil, is_final: nil)
      notify("stream", data: data, index: index, is_final: is_final)
    end

    # Values that outlive the call, of this tool alone.
    def memory
      Memory
    end

    # Resources of the server.
    def resources
      Resources
    end

    # Calls another tool: its data if it gives any, else its text. Raises ToolError when it fails.
    def call(name, arguments = {}, **more)
      result = request("tools/call", name: name, arguments: arguments.merge(more))
      raise ToolError.new(result["output"] || "the tool failed", result) if result["isError"]

      result["structuredContent"] || result["output"]
    end

    # Asks the user; the schema may be just the properties.
    def elicit(message, schema = {}, **more)
      schema = schema.transform_keys(&:to_s)
      unless schema["type"].is_a?(String)
        schema = { "type" => "object", "properties" => schema, "required" => schema.keys }
      end
      request("elicitation/create", message: message, requestedSchema: schema, **more)
    end

    # Asks the client's model; gives its text.
    def sample(messages, max_tokens: 1000, **more)
      messages = [{ role: "user", content: { type: "text", text: messages } }] if messages.is_a?(String)
      result = request("sampling/createMessage", messages: messages, maxTokens: max_tokens, **more)
      content = result["content"]
      content.is_a?(Hash) && content["type"] == "text" ? content["text"] : result
    end

    # The workspace roots as [{"uri", "name"}].
    def roots
      request("roots/list")["roots"]
    end

    # The context of the call under way, a Hash with string keys.
    def context
      current&.context || {}
    end

    # Asks the server; for methods that have no function of their own.
    def request(method, null: [], **params)
      call = current
      raise Cancelled if call&.cancelled

      answer = Queue.new
      id = WRITING.synchronize { @last_id += 1 }
      @pending[id] = [answer, call]
      send_message(id: id, method: method, params: tagged(params, null))
      message = answer.pop
      raise Cancelled if message.nil?

      error = message["error"]
      raise Error.new(error["message"], code: error["code"], data: error["data"]) if error

      message["result"]
    end

    private

    def notify(method, **params)
      send_message(method: method, params: tagged(params))
    end

    def tagged(params, null = [])
      params = params.reject { |key, value| value.nil? && !null.include?(key) }
      call = current
      params[:_meta] = { "skillz/call" => call.id } if call && @calls.size > 1
      params
    end

    def send_message(message)
      line = JSON.generate({ jsonrpc: "2.0" }.merge(message))
      WRITING.synchronize { OUT.write(line, "\n") }
    end

    def current
      Thread.current[:skillz_call] || (@calls.size == 1 ? @calls.values.first : nil)
    end

    def serve
      incoming = Queue.new
      Thread.new { listen(incoming) }
      while (call = incoming.pop)
        perform(call)
      end
      $stderr.flush
      exit!(0)
    end

    def listen(incoming)
      IN.each_line do |line|
        message = begin
          JSON.parse(line.force_encoding("UTF-8"))
        rescue JSON::ParserError
          next
        end
        hear(message, incoming)
      end
      incoming << nil
      @pending.values.each { |answer, _| answer << nil }
    end

    def hear(message, incoming)
      case message["method"]
      when "execute"
        params = message["params"] || {}
        call = Call.new(message["id"], params["arguments"] || {}, params["context"] || {}, nil, false)
        @calls[call.id] = call
        # The main thread is busy when there are more: the manifest's `concurrency` allows it.
        @calls.size == 1 ? incoming << call : Thread.new { perform(call) }
      when "cancel"
        cancel((message["params"] || {})["id"])
      when nil
        answer, = @pending.delete(message["id"])
        answer << message if answer
      end
    end

    def cancel(id)
      call = @calls[id]
      return unless call

      call.cancelled = true
      @pending.delete_if { |_, (answer, owner)| owner.equal?(call) && answer << nil }
      call.thread&.raise(Cancelled)
    end

    def perform(call)
      Thread.current[:skillz_call] = call
      answer = begin
        call.thread = Thread.current
        result = invoke(call.arguments)
        call.thread = nil
        { result: result }
      rescue Cancelled
        { error: { code: -32800, message: "the call was cancelled" } }
      rescue SystemExit => e
        raise unless e.success?

        { result: nil }
      rescue Exception => e # whatever it is, it is the tool's failure
        { error: describe(e) }
      end
      call.thread = nil
      @calls.delete(call.id)
      begin
        send_message(id: call.id, **answer)
      rescue StandardError => e
        send_message(id: call.id, error: describe(e))
      end
    ensure
      Thread.current[:skillz_call] = nil
    end

    def invoke(arguments)
      keywords = @block.parameters.any? { |kind, _| %i[key keyreq keyrest].include?(kind) }
      keywords ? @block.call(**arguments.transform_keys(&:to_sym)) : @block.call(arguments)
    end

    def describe(error)
      $stderr.puts(error.full_message(highlight: false))
      place = error.backtrace&.find { |line| !line.start_with?(__FILE__) }
      place = place && " (line #{place[/:(\d+)/, 1]} of #{File.basename(place.split(":").first)})"
      name = error.is_a?(Error) ? "" : "#{error.class}: "
      { code: -32000, message: "#{name}#{error.message}#{place}", data: { type: error.class.name } }
    end
  end

  # Values that outlive the call.
  module Memory
    class << self
      def get(key, default = nil)
        answer = Skillz.request("memory/get", key: key)
        answer.fetch("found", !answer["value"].nil?) ? answer["value"] : default
      end

      # `ttl` in seconds.
      def set(key, value, ttl: nil)
        Skillz.request("memory/set", null: [:value], key: key, value: value, ttl: ttl)["success"]
      end

      def list(prefix = nil)
        Skillz.request("memory/list", prefix: prefix)["keys"]
      end

      def delete(key)
        Skillz.request("memory/delete", key: key)["deleted"]
      end
    end
  end

  # Resources of the server.
  module Resources
    class << self
      def list
        Skillz.request("resources/list")["resources"]
      end

      def read(uri)
        Skillz.request("resources/read", uri: uri)["contents"]
      end
    end
  end
end
